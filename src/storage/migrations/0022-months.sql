-- The call log by months. A month that is over is closed: summed by account, key and model. From then on the books are
-- proven by its sums, and its calls may go. Months are Viet Nam's.

-- One row for each partition of calls there is or was, without gaps, the first from the beginning of time. Closed are all
-- up to some month, gone are all up to another.
create table call_months (
  -- 202611, of the partition calls_202611
  name text collate "C" primary key,
  -- Whole hours, so that a month is a sum of usage_hours.
  starts_at timestamptz not null unique check (starts_at = '-infinity' or starts_at = date_trunc('hour', starts_at, 'UTC')),
  ends_at timestamptz not null unique check (ends_at = date_trunc('hour', ends_at, 'UTC')),
  closed_at timestamptz,
  calls bigint not null default 0,
  failed_calls bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micro_vnd bigint not null default 0,
  -- The calls themselves are no longer here; `archive` names the file they were written to before.
  dropped_at timestamptz,
  archive text,
  check (dropped_at is null or closed_at is not null)
);

-- Sums of the calls of closed months.
create table usage_months (
  account_id text collate "C" not null,
  month text collate "C" not null references call_months (name),
  key_id text collate "C" not null,
  model text not null,
  calls bigint not null,
  failed_calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_micro_vnd bigint not null,
  last_call_at timestamptz not null,
  primary key (account_id, month, key_id, model)
) with (fillfactor = 90);
create index usage_months_key on usage_months (key_id);

-- From here on calls are proven one by one.
create function calls_open_from() returns timestamptz language sql stable as $$
  select coalesce(max(ends_at), '-infinity') from call_months where closed_at is not null
$$;

-- Before this no call is kept any more.
create function calls_kept_from() returns timestamptz language sql stable as $$
  select coalesce(max(ends_at), '-infinity') from call_months where dropped_at is not null
$$;

-- Calls that came when their month was gone, such as from the spool of a machine that was away for long. Whether they had
-- been charged nobody can say any more, so they are not charged; an operator may.
create table late_calls (
  id text collate "C" primary key,
  at timestamptz not null,
  account_id text collate "C" not null,
  cost_micro_vnd bigint not null,
  arrived_at timestamptz not null default now(),
  -- When the log of a node told of it.
  told_at timestamptz,
  call jsonb not null
);

-- The trigger of the partition that stands for all months that are gone.
create function note_late_call() returns trigger language plpgsql as $$
begin
  insert into late_calls (id, at, account_id, cost_micro_vnd, call)
  values (new.id, new.at, new.account_id, new.cost_micro_vnd, to_jsonb(new)) on conflict do nothing;
  return null;
end $$;

-- The trigger of a closed month's partition; its argument is the month.
create function count_late_call() returns trigger language plpgsql as $$
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
  update call_months set calls = calls + 1, failed_calls = failed_calls + failed,
    input_tokens = input_tokens + new.input_tokens, output_tokens = output_tokens + new.output_tokens,
    cost_micro_vnd = cost_micro_vnd + new.cost_micro_vnd
  where name = tg_argv[0];
  return null;
end $$;

-- Adds a partition; calls of its time that came before it was there move into it. Unlike `create table … partition of`,
-- this waits for nobody who reads calls, and lets commits go on.
create function add_call_month(name text, starts_at timestamptz, ends_at timestamptz) returns void language plpgsql as $$
declare
  partition text := 'calls_' || name;
begin
  execute format('create table %I (like calls including defaults including constraints)', partition);
  lock table calls_default in access exclusive mode;
  execute format('with moved as (delete from calls_default where at >= $1 and at < $2 returning *)
    insert into %I select * from moved', partition) using starts_at, ends_at;
  execute format('alter table calls attach partition %I for values from (%L) to (%L)', partition, starts_at, ends_at);
  insert into call_months (name, starts_at, ends_at) values (name, starts_at, ends_at);
end $$;

-- Makes the partitions up to the month after next; one for all months that were missed. Harmless to repeat.
create or replace function ensure_call_partitions(today date) returns void language plpgsql as $$
declare
  month date;
  covered timestamptz;
  month_end timestamptz;
begin
  perform pg_advisory_xact_lock(712002, 0);
  select coalesce(max(ends_at), '-infinity') into covered from call_months;
  for i in -1..2 loop
    month := date_trunc('month', today) + make_interval(months => i);
    month_end := (month + interval '1 month') at time zone interval '+07:00';
    if month_end > covered then
      perform add_call_month(to_char(month, 'YYYYMM'), covered, month_end);
      covered := month_end;
    end if;
  end loop;
end $$;

-- The partitions of the former version began at midnight of whatever time zone the server was set to. Where that is none
-- of whole hours, the calls of a broken hour go on to the next partition.
create temporary table former_months on commit drop as
  select partition::text as partition, right(partition::text, 6) as name, bounds[1]::timestamptz as starts_at,
    bounds[2]::timestamptz as ends_at, date_trunc('hour', bounds[1]::timestamptz, 'UTC') as whole_start,
    date_trunc('hour', bounds[2]::timestamptz, 'UTC') as whole_end
  from (
    select c.oid::regclass as partition,
      regexp_match(pg_get_expr(c.relpartbound, c.oid), $r$FROM \('([^']+)'\) TO \('([^']+)'\)$r$) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'calls'::regclass
  ) found where bounds is not null;

do $$
declare
  former record;
  covered timestamptz := '-infinity';
begin
  if exists (select from former_months where (starts_at, ends_at) <> (whole_start, whole_end)) then
    for former in select * from former_months loop
      execute format('alter table calls detach partition %s', former.partition);
    end loop;
    for former in select * from former_months order by starts_at desc loop
      execute format('with moved as (delete from %s where at >= $1 returning *) insert into calls select * from moved',
        former.partition) using former.whole_end;
      execute format('with moved as (delete from calls_default where at >= $1 and at < $2 returning *)
        insert into %s select * from moved', former.partition) using former.whole_start, former.whole_end;
      execute format('alter table calls attach partition %s for values from (%L) to (%L)', former.partition,
        former.whole_start, former.whole_end);
    end loop;
  end if;
  for former in select * from former_months order by starts_at loop
    if former.whole_start > covered then
      perform add_call_month(to_char(to_date(former.name, 'YYYYMM') - interval '1 month', 'YYYYMM'), covered,
        former.whole_start);
    end if;
    insert into call_months (name, starts_at, ends_at) values (former.name, former.whole_start, former.whole_end);
    covered := former.whole_end;
  end loop;
end $$;
