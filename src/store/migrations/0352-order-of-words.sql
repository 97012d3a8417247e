-- Lists by name are in the order of their reader's language: Ç after C, ı before i. Where the database knows no languages
-- they are in the order it has.
do $$
begin
  create collation reader_tr (provider = icu, locale = 'tr-TR');
  create collation reader_en (provider = icu, locale = 'en-GB');
exception when others then
  create collation reader_tr from "C";
  create collation reader_en from "C";
end $$;
