-- People are told of each change to how they come in, and their audit log says it: whoever has come in unseen is seen by that.
create or replace view account_alerts as
  select a.id as account_id,
    case when s.account_id is null then 20000000000 else s.balance_below_micro_vnd end as balance_below_micro_vnd,
    case when s.account_id is null then 3 else s.days_left end as days_left,
    coalesce(s.mail_kinds, '{balance.low,balance.empty,balance.days_left,budget.nearly_spent,budget.spent,'
      'member_budget.nearly_spent,member_budget.spent,key.expiring,sign_in.new,security.changed}') as mail_kinds,
    coalesce(s.email, '') as email, a.email as account_email,
    coalesce(s.language, 'vi') as language
  from accounts a left join alert_settings s on s.account_id = a.id;

-- Whoever wants mail of new sign-ins gets it of these, too.
update alert_settings set mail_kinds = mail_kinds || '{security.changed}' where 'sign_in.new' = any (mail_kinds);

-- Where people change their password themselves: better-auth does it, in a transaction of its own.
create or replace function end_by_password() returns trigger language plpgsql as $$
begin
  delete from sessions where person_id = new.person_id;
  perform end_links(new.person_id);
  insert into audit_log (actor, action, subject) values (new.person_id, 'person.password', new.person_id);
  return null;
end $$;

-- It links accounts elsewhere, too. By the first one people sign up.
create function record_sign_in_elsewhere() returns trigger language plpgsql as $$
begin
  insert into audit_log (actor, action, subject, detail)
  values (new.person_id, 'person.sign_in_add', new.person_id, jsonb_build_object('provider', new.provider));
  return null;
end $$;
create trigger sign_ins_recorded after insert on credentials for each row
  when (new.provider <> 'credential') execute function record_sign_in_elsewhere();

-- In the first minute people set up what they come in by.
create function note_security() returns trigger language plpgsql as $$
begin
  if exists (select from people p where p.id = new.subject and p.created_at > now() - interval '1 minute') then return null; end if;
  insert into alert_events (account_id, kind, detail)
  values (new.subject, 'security.changed', jsonb_build_object('change', split_part(new.action, '.', 2)));
  return null;
end $$;
create trigger security_told after insert on audit_log for each row
  when (new.action in ('person.password', 'person.totp_on', 'person.totp_off', 'person.recovery_codes', 'person.reset_factors',
    'person.passkey_add', 'person.passkey_remove', 'person.sign_in_add', 'person.sign_in_remove'))
  execute function note_security();
