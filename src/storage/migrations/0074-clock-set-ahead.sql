-- This server's clock may be ahead of the time, by years where its machine has none that goes on while it is off. What only time may take
-- away does not go at once then.

-- As of when the tables are tidied: now, but where the clock has leapt since they were looked at last, it is followed by two days at a
-- time at most, and by eight a day.
create table tidy_clock (
  is_only boolean primary key default true check (is_only),
  looked_at timestamptz not null,
  present timestamptz not null
);

insert into tidy_clock (looked_at, present) values (now(), now());

create function tidy_now() returns timestamptz language sql stable as $$
  select present from tidy_clock
$$;

create function move_tidy_clock() returns void language sql as $$
  update tidy_clock set looked_at = now(),
    present = least(now(), present + greatest(interval '0', least(interval '2 days', 8 * (now() - looked_at))))
$$;

-- As before, but each month that was missed has a partition of its own: those between a clock that was ahead and the one that is right
-- are still to come, and one for them all would be closed, and go, years later. One stands for those of more than ten years, as after
-- a start in 1970.
create or replace function ensure_call_partitions(today date) returns void language plpgsql as $$
declare
  month date;
  covered timestamptz;
  month_end timestamptz;
  missed integer := 1;
begin
  perform pg_advisory_xact_lock(712002, 0);
  select coalesce(max(ends_at), '-infinity') into covered from call_months;
  if covered between today - interval '10 years' and today then
    missed := greatest(1, (extract(year from today) - extract(year from covered at time zone interval '+07:00')) * 12
      + extract(month from today) - extract(month from covered at time zone interval '+07:00'));
  end if;
  for i in -missed..2 loop
    month := date_trunc('month', today) + make_interval(months => i);
    month_end := (month + interval '1 month') at time zone interval '+07:00';
    if month_end > covered then
      perform add_call_month(to_char(month, 'YYYYMM'), covered, month_end);
      covered := month_end;
    end if;
  end loop;
end $$;
