-- Links that were sent or made, and sign-ins that were begun, before something changed: those that would set a new password,
-- those that would make another address the person's, and the sign-ins that wait for their second step.
create function end_links(person text) returns void language sql as $$
  delete from verifications
  where value = person and (identifier like 'reset-password:%' or identifier like '2fa-%')
    or identifier like 'address:%' and starts_with(value, '{"accountId":"' || person || '",')
$$;

-- Whoever came in by the former password is out in the moment in which there is another one, whatever is done next, or not.
create function end_by_password() returns trigger language plpgsql as $$
begin
  delete from sessions where person_id = new.person_id;
  perform end_links(new.person_id);
  return null;
end $$;
create trigger credentials_replaced after update of password on credentials for each row
  when (old.password is distinct from new.password) execute function end_by_password();
