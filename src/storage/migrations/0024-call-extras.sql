-- What the margin of a call depends on, and how its cost came about where tokens and price alone do not say. All are null
-- where there is nothing to tell, as in the rows of former versions.
alter table calls
  -- Of the input tokens: read from a cache of the provider's, and written to one.
  add cache_read_tokens integer,
  add cache_write_tokens integer,
  -- Of the output tokens.
  add reasoning_tokens integer,
  -- On what terms it was charged: priority, fast+us.
  add tier text,
  -- What all but the uses of tools was multiplied by; a fraction of a µVND counts as a whole one.
  add factor numeric,
  -- Of the provider: the one that was tried last.
  add route text,
  -- [{"tool", "uses", "micro_vnd"}]; without a price they cost nothing.
  add tool_uses jsonb,
  -- [{"model", "input_tokens", "output_tokens", "per_mtok_vnd", "apart"}]: tokens of other models. Those that are not apart
  -- stand in input_tokens and output_tokens, too.
  add other_tokens jsonb;

create function tool_uses_cost(uses jsonb) returns numeric language sql immutable strict parallel safe as $$
  select coalesce(sum((use ->> 'uses')::numeric * (use ->> 'micro_vnd')::numeric), 0) from jsonb_array_elements(uses) use
$$;

-- What tokens of other models cost beyond what they cost at `per_mtok_vnd`, at which those that are not apart are counted.
create function other_tokens_cost(others jsonb, per_mtok_vnd bigint) returns numeric
language sql immutable parallel safe as $$
  select coalesce(sum(((other ->> 'input_tokens')::numeric + (other ->> 'output_tokens')::numeric)
    * ((other ->> 'per_mtok_vnd')::numeric - case when (other ->> 'apart')::boolean then 0 else coalesce(per_mtok_vnd, 0) end)), 0)
  from jsonb_array_elements(others) other
$$;
