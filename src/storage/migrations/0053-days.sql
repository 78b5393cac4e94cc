-- Sums of days for months that are closed. The hours of an account lie scattered among those of all others, a page of the disk
-- for nearly each: a year of them was read from 8,000 pages where its days are on 100. Made when a month is closed, so that
-- commits of calls do no more than before.

-- Commits that are under way end first, and others wait: the calls of a closed month that come late must count in both.
lock table usage_hours in share row exclusive mode;

-- The midnight in Viet Nam that it is, or the last before it.
create function vietnam_midnight(at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select vietnam_day($1)::timestamp at time zone interval '+07:00'
$$;

-- Exactly the sums of the hours of all closed months, and of no others. Months that a former version made need not end at
-- midnight: then the day that the last closed month ends within is not whole yet.
create table usage_days (
  account_id text collate "C" not null,
  -- Viet Nam's.
  day date not null,
  key_id text collate "C" not null,
  model text not null,
  calls bigint not null,
  failed_calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_micro_vnd bigint not null,
  latency_ms bigint not null,
  primary key (account_id, day, key_id, model)
) with (fillfactor = 90);

-- The days of an account lie together.
create function sum_days(starts_at timestamptz, ends_at timestamptz) returns void language sql as $$
  insert into usage_days as u
  select account_id, vietnam_day(hour), key_id, model, sum(calls), sum(failed_calls), sum(input_tokens), sum(output_tokens),
    sum(cost_micro_vnd), sum(latency_ms)
  from usage_hours where hour >= $1 and hour < $2 group by 1, 2, 3, 4 order by 1, 2
  on conflict (account_id, day, key_id, model) do update set
    calls = u.calls + excluded.calls, failed_calls = u.failed_calls + excluded.failed_calls,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
    cost_micro_vnd = u.cost_micro_vnd + excluded.cost_micro_vnd, latency_ms = u.latency_ms + excluded.latency_ms
$$;

-- Here, and not in the program, so that a month has its days whichever version's node closes it.
create function sum_days_of_month() returns trigger language plpgsql as $$
begin
  perform sum_days(new.starts_at, new.ends_at);
  return null;
end $$;
create trigger sum_days after update of closed_at on call_months
  for each row when (old.closed_at is null and new.closed_at is not null) execute function sum_days_of_month();

-- The trigger of a closed month's partition; its argument is the month.
create or replace function count_late_call() returns trigger language plpgsql as $$
declare
  failed integer := (new.status >= 400)::integer;
begin
  insert into usage_months as u values (new.account_id, tg_argv[0], new.key_id, new.model, 1, failed, new.input_tokens,
    new.output_tokens, new.cost_micro_vnd, new.at)
  on conflict (account_id, month, key_id, model) do update set
    calls = u.calls + excluded.calls, failed_calls = u.failed_calls + excluded.failed_calls,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
    cost_micro_vnd = u.cost_micro_vnd + excluded.cost_micro_vnd,
    last_call_at = greatest(u.last_call_at, excluded.last_call_at);
  insert into usage_days as u values (new.account_id, vietnam_day(new.at), new.key_id, new.model, 1, failed, new.input_tokens,
    new.output_tokens, new.cost_micro_vnd, new.latency_ms)
  on conflict (account_id, day, key_id, model) do update set
    calls = u.calls + excluded.calls, failed_calls = u.failed_calls + excluded.failed_calls,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
    cost_micro_vnd = u.cost_micro_vnd + excluded.cost_micro_vnd, latency_ms = u.latency_ms + excluded.latency_ms;
  update call_months set calls = calls + 1, failed_calls = failed_calls + failed,
    input_tokens = input_tokens + new.input_tokens, output_tokens = output_tokens + new.output_tokens,
    cost_micro_vnd = cost_micro_vnd + new.cost_micro_vnd
  where name = tg_argv[0];
  return null;
end $$;

select sum_days('-infinity', calls_open_from());
