-- As money is written on the wire: 0.83, 230, -1062.4. A product is exact; a quotient has some sixteen digits, too few for a thousand
-- billion dong with what is less than one.
create or replace function vnd_text(micro_vnd bigint) returns text language sql immutable strict parallel safe as $$
  select trim_scale(micro_vnd * 0.000001)::text
$$;
