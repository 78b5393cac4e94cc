-- Failed tries after which another route was asked: a call that was answered in the end has not failed.
alter table route_health add column passed_over integer not null default 0;
