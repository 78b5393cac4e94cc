-- What was used since some hour is read from those hours alone: the index before it knew no more than which of 128 pages may
-- have some, so that today's sums were up to 13,000 rows of other days, and all of them where rows of months before had gone.
-- A row's hour never changes: updates of sums do not touch it.
drop index usage_hours_hour;
create index usage_hours_hour on usage_hours (hour);
