-- How long an hour's calls took together, in ms: the mean of a day is then its sum by its calls. Hours from before have none.
alter table usage_hours add latency_ms bigint not null default 0;
