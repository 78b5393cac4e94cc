-- What operators find customers by. Parts of texts are found by trigrams where the database lets us have them; elsewhere the
-- same statements read the whole, which takes longer and finds the same.
create index if not exists bank_transfers_provider_id on bank_transfers (provider_transfer_id);
create index if not exists billing_details_tax_code on billing_details (tax_code) where tax_code <> '';

-- A page of accounts, the newest first.
create index if not exists accounts_created on accounts (created_at, id);

do $$ begin
  create extension if not exists pg_trgm;
exception when others then
  raise notice 'Searching goes without trigrams: %', sqlerrm;
end $$;

do $$ begin
  -- It may be there and lie in a schema that is not looked in.
  if not exists (select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)) then
    return;
  end if;
  create index accounts_email_parts on accounts using gin (email gin_trgm_ops);
  create index people_name_parts on people using gin (name gin_trgm_ops);
  create index keys_hint_parts on keys using gin (hint gin_trgm_ops);
  create index bank_transfers_memo_parts on bank_transfers using gin (memo gin_trgm_ops);
  create index billing_details_company_parts on billing_details using gin (company gin_trgm_ops);
end $$;
