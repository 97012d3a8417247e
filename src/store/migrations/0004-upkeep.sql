-- Rows of this table live for moments; left to the usual rules they would be swept only when a fifth of them is dead.
alter table jobs set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
