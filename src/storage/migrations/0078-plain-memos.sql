-- Memos are found as they are typed without accents, too, however the bank has written them.
do $$ begin
  if not exists (select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)) then
    return;
  end if;
  create index bank_transfers_plain_memo_parts on bank_transfers using gin (plain_text(memo) gin_trgm_ops);
end $$;
