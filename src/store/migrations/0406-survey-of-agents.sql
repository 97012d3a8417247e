-- By whom they are about: the calls behind an agent's score.
create index survey_answers_of_agents on survey_answers (exchange_id, extension, call_uuid);
