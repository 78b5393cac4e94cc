/**
 * PostgreSQL with a clock that stands still until it is moved, for the connection that runs this: functions look their own
 * names up where the connection does, and find these before the system's. Only defaults of columns are bound once and for all.
 */
export const stillClock = `
  create schema test_time;
  create table test_time.clock as
    select date_trunc('second', clock_timestamp()) as at, '-infinity'::timestamptz as served;
  create function test_time.clock_timestamp() returns timestamptz language sql stable as 'select at from test_time.clock';
  create function test_time.now() returns timestamptz language sql stable as 'select at from test_time.clock';
  create function test_time.serving_since() returns timestamptz language sql stable as 'select served from test_time.clock';
  set search_path = test_time, pg_catalog, public;
  alter table nodes alter started_at set default now(), alter renewed_at set default clock_timestamp();`
