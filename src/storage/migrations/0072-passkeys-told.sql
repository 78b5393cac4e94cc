-- A passkey, by which somebody comes in, is in the audit log as soon as it is there: better-auth adds it in a transaction of its own.
create function record_passkey() returns trigger language plpgsql as $$
begin
  insert into audit_log (actor, action, subject, detail)
  values (new.person_id, 'person.passkey_add', new.person_id, jsonb_build_object('name', new.name));
  return null;
end $$;
create trigger passkeys_recorded after insert on passkeys for each row execute function record_passkey();
