-- The bank's reference as SePay tells it, which a customer reads in the banking app: to find a transfer by. Its list does not always have
-- it, so that it does not tell which transfers are one, as `bank_reference` does.
alter table bank_transfers add column shown_reference text not null default '';
-- What SePay sent may be cut short or no JSON at all: the field is read as it is written there.
update bank_transfers t set shown_reference = left(btrim(regexp_replace(found.value, '\\(.)', '\1', 'g')), 200)
  from (
    select id, substring(raw from '"(?:referenceCode|reference_number)"\s*:\s*"((?:[^"\\[:cntrl:]]|\\[\\/])+)"') as value
    from bank_transfers where provider = 'sepay'
  ) found
  where t.id = found.id and found.value is not null;
create index bank_transfers_shown_reference on bank_transfers (shown_reference) where shown_reference <> '';
