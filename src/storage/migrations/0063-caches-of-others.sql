-- What other models read from caches and wrote to them has prices of its own, as what a call's own model did. In the rows of
-- former versions their input is told as a whole.
create or replace function call_parts(tool_uses jsonb, other_tokens jsonb, input bigint, cache_read bigint, cache_write bigint,
  output bigint, uses bigint, cost bigint)
returns table (mix text, part text, calls bigint, input_tokens bigint, cache_read_tokens bigint, cache_write_tokens bigint,
  output_tokens bigint, uses bigint, revenue_micro_vnd bigint)
language sql immutable parallel safe as $$
  with others as (
    select 'tool:' || (use ->> 'tool') as part, 0::bigint as input, 0::bigint as cache_read, 0::bigint as cache_write,
      0::bigint as output, (use ->> 'uses')::bigint as uses, false as is_inside
    from jsonb_array_elements($1) use
    union all
    select 'model:' || (other ->> 'model'), (other ->> 'input_tokens')::bigint,
      coalesce((other ->> 'cache_read_tokens')::bigint, 0), coalesce((other ->> 'cache_write_tokens')::bigint, 0),
      (other ->> 'output_tokens')::bigint, 0, not (other ->> 'apart')::boolean
    from jsonb_array_elements($2) other
  ), own as (
    select coalesce(string_agg(distinct o.part collate "C", E'\n' order by o.part collate "C"), '') as mix,
      greatest($3 - coalesce(sum(o.input) filter (where is_inside), 0), 0)::bigint as input,
      greatest($4 - coalesce(sum(o.cache_read) filter (where is_inside), 0), 0)::bigint as cache_read,
      greatest($5 - coalesce(sum(o.cache_write) filter (where is_inside), 0), 0)::bigint as cache_write,
      greatest($6 - coalesce(sum(o.output) filter (where is_inside), 0), 0)::bigint as output
    from others o
  ), cached as (
    select own.mix, own.input, own.output, least(own.cache_read, own.input) as cache_read,
      least(own.cache_write, own.input - least(own.cache_read, own.input)) as cache_write
    from own
  )
  select c.mix, '', 1, c.input - c.cache_read - c.cache_write, c.cache_read, c.cache_write, c.output, $7, $8 from cached c
  union all
  select own.mix, o.part, 0, sum(o.input - o.cache_read - o.cache_write)::bigint, sum(o.cache_read)::bigint,
    sum(o.cache_write)::bigint, sum(o.output)::bigint, sum(o.uses)::bigint, 0
  from others o, own group by own.mix, o.part
$$;
