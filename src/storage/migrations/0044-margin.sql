-- What calls were sold for and what they were bought for: purchase prices with their history, and sums of what prices are of.

-- What prices are of. A call is one part, its own, unless it used tools of the provider's or other models: each of these is
-- a part of its own, and `mix` names them all, so that calls of which a part has no price can be told apart.
create table purchase_parts (
  -- Of what it names; see purchase_part().
  id bigint primary key,
  -- The provider's; empty where the call does not name it.
  route text collate "C" not null,
  -- The one that was called.
  model text collate "C" not null,
  -- What it was sold by beside its price; the provider is taken to have the same.
  factor numeric not null,
  -- The other parts of such calls, a line each; `?` where they are not known.
  mix text collate "C" not null,
  -- Empty for the call's own; `tool:web_search`, `model:gpt-5.5`.
  part text collate "C" not null
);

create function purchase_part(route text, model text, factor numeric, mix text, part text) returns bigint
language sql immutable parallel safe as $$
  select ('x' || left(md5(concat_ws(E'\x01', $1, $2, trim_scale($3)::text, $4, $5)), 16))::bit(64)::bigint
$$;

-- What was used of it on each day of Viet Nam, and what that was sold for. Sums of nodes that serve at once stand in rows
-- of their own; see nodes.slot.
create table purchase_days (
  day date not null,
  account_id text collate "C" not null,
  part_id bigint not null,
  slot smallint not null,
  -- Of own parts alone, as is the revenue.
  calls bigint not null,
  -- Neither read from a cache nor written to one.
  input_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  -- Calls, or images, that a price of one is asked for; of a tool its uses.
  uses bigint not null,
  revenue_micro_vnd bigint not null,
  primary key (day, account_id, part_id, slot)
) with (fillfactor = 90);

-- The same of all accounts together: a month of it is a few thousand rows.
create table purchase_totals (
  day date not null,
  part_id bigint not null,
  slot smallint not null,
  calls bigint not null,
  input_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  uses bigint not null,
  revenue_micro_vnd bigint not null,
  primary key (day, part_id, slot)
) with (fillfactor = 50);

-- The parts of a call that has several. Tokens of other models that stand among its own are taken out of them.
create function call_parts(tool_uses jsonb, other_tokens jsonb, input bigint, cache_read bigint, cache_write bigint,
  output bigint, uses bigint, cost bigint)
returns table (mix text, part text, calls bigint, input_tokens bigint, cache_read_tokens bigint, cache_write_tokens bigint,
  output_tokens bigint, uses bigint, revenue_micro_vnd bigint)
language sql immutable parallel safe as $$
  with others as (
    select 'tool:' || (use ->> 'tool') as part, 0::bigint as input, 0::bigint as output, (use ->> 'uses')::bigint as uses,
      false as is_inside
    from jsonb_array_elements($1) use
    union all
    select 'model:' || (other ->> 'model'), (other ->> 'input_tokens')::bigint, (other ->> 'output_tokens')::bigint, 0,
      not (other ->> 'apart')::boolean
    from jsonb_array_elements($2) other
  ), own as (
    select coalesce(string_agg(distinct o.part, E'\n' order by o.part), '') as mix,
      greatest($3 - coalesce(sum(o.input) filter (where is_inside), 0), 0)::bigint as input,
      greatest($6 - coalesce(sum(o.output) filter (where is_inside), 0), 0)::bigint as output
    from others o
  ), cached as (
    select own.*, least($4, own.input) as cache_read, least($5, own.input - least($4, own.input)) as cache_write from own
  )
  select c.mix, '', 1, c.input - c.cache_read - c.cache_write, c.cache_read, c.cache_write, c.output, $7, $8 from cached c
  union all
  select own.mix, o.part, 0, sum(o.input)::bigint, 0, 0, sum(o.output)::bigint, sum(o.uses)::bigint, 0
  from others o, own group by own.mix, o.part
$$;

create function vietnam_day(at timestamptz) returns date language sql immutable parallel safe as $$
  select ($1 at time zone interval '+07:00')::date
$$;

-- Append-only: what is corrected is entered anew, and of several for the same day the last holds.
create table purchase_prices (
  id bigint generated always as identity primary key,
  -- `*`: of all routes that have none of their own.
  route text collate "C" not null,
  model text collate "C" not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Per million tokens. Of caches, null is as the input.
  input numeric(24, 9) not null check (input >= 0),
  cache_read numeric(24, 9) check (cache_read >= 0),
  cache_write numeric(24, 9) check (cache_write >= 0),
  output numeric(24, 9) not null check (output >= 0),
  -- Per successful call; per image.
  per_request numeric(24, 9) not null check (per_request >= 0),
  -- {"web_search": "0.01"}, per use.
  tools jsonb not null default '{}',
  -- From the midnight on with which this day of Viet Nam begins.
  from_day date not null,
  made_by text not null,
  made_at timestamptz not null default now()
);
create index purchase_prices_model on purchase_prices (model, route, from_day, id);
create trigger purchase_prices_append_only before update or delete or truncate on purchase_prices
  for each statement execute function refuse_change();

create table exchange_rates (
  id bigint generated always as identity primary key,
  currency text not null check (currency ~ '^[A-Z]{3}$' and currency <> 'VND'),
  -- VND for one of it.
  vnd numeric(20, 6) not null check (vnd > 0),
  from_day date not null,
  made_by text not null,
  made_at timestamptz not null default now()
);
create index exchange_rates_currency on exchange_rates (currency, from_day, id);
create trigger exchange_rates_append_only before update or delete or truncate on exchange_rates
  for each statement execute function refuse_change();

-- The calls there are.
set local work_mem = '128MB';
create temporary table sums on commit drop as
  select vietnam_day(c.at) as day, c.account_id, coalesce(c.route, '') as route, c.model, trim_scale(coalesce(c.factor, 1)) as factor,
    p.mix, p.part, sum(p.calls) as calls, sum(p.input_tokens) as input, sum(p.cache_read_tokens) as cache_read,
    sum(p.cache_write_tokens) as cache_write, sum(p.output_tokens) as output, sum(p.uses) as uses,
    sum(p.revenue_micro_vnd) as revenue
  from (
    select calls.*, least(coalesce(cache_read_tokens, 0), input_tokens) as read,
      case when status < 400 or cost_micro_vnd > 0 then units else 0 end as uses
    from calls
    where endpoint <> 'count_tokens' and (cost_micro_vnd > 0 or status < 400 or input_tokens + output_tokens > 0)
  ) c, lateral (
    select '' as mix, '' as part, 1::bigint as calls,
      c.input_tokens - c.read - least(coalesce(c.cache_write_tokens, 0), c.input_tokens - c.read) as input_tokens,
      c.read as cache_read_tokens, least(coalesce(c.cache_write_tokens, 0), c.input_tokens - c.read) as cache_write_tokens,
      c.output_tokens, c.uses, c.cost_micro_vnd as revenue_micro_vnd
    where c.tool_uses is null and c.other_tokens is null
    union all
    select * from call_parts(c.tool_uses, c.other_tokens, c.input_tokens, c.read, coalesce(c.cache_write_tokens, 0),
      c.output_tokens, c.uses, c.cost_micro_vnd)
    where c.tool_uses is not null or c.other_tokens is not null
  ) p
  group by 1, 2, 3, 4, 5, 6, 7
  union all
  -- Of calls that are gone only their sums of hours are left: what they were bought for nobody can say any more.
  select vietnam_day(hour), account_id, '', model, 1, '?', '', sum(calls - failed_calls), sum(input_tokens), 0, 0,
    sum(output_tokens), sum(calls - failed_calls), sum(cost_micro_vnd)
  from usage_hours where hour < calls_kept_from() and cost_micro_vnd > 0 group by 1, 2, 4;

insert into purchase_parts
  select purchase_part(route, model, factor, mix, part), route, model, factor, mix, part
  from (select distinct route, model, factor, mix, part from sums) named;

insert into purchase_days
  select day, account_id, p.id, 0, calls, input, cache_read, cache_write, output, uses, revenue
  from sums s join purchase_parts p using (route, model, factor, mix, part);

insert into purchase_totals
  select day, part_id, 0, sum(calls), sum(input_tokens), sum(cache_read_tokens), sum(cache_write_tokens), sum(output_tokens),
    sum(uses), sum(revenue_micro_vnd)
  from purchase_days group by 1, 2;
