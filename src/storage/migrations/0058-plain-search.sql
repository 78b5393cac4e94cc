-- Names and companies are found as they are typed without accents, too, by trigrams where the database lets us have them; what
-- many have in common is found among the newest.
create index people_created on people (created_at);
create index billing_details_updated on billing_details (updated_at);

do $$ begin
  if not exists (select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)) then
    return;
  end if;
  create index people_plain_name_parts on people using gin (plain_text(name) gin_trgm_ops);
  create index billing_details_plain_company_parts on billing_details using gin (plain_text(company) gin_trgm_ops);
end $$;
