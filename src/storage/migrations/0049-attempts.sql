-- [{"route", "outcome", "ms"}] in the order in which they were begun; null where there was one alone, or none.
alter table calls add attempts jsonb;
