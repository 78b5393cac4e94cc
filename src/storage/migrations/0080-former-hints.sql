-- Of secrets that a key had before, what they are told by: a customer's log names one of those long after it was replaced. With one
-- space between them, the latest last.
alter table keys add column former_hints text not null default '';
do $$ begin
  if not exists (select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)) then
    return;
  end if;
  create index keys_former_hints_parts on keys using gin (former_hints gin_trgm_ops);
end $$;
