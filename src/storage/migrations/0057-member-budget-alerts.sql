-- Budgets of members at four fifths and at their end. Whoever has not said what mail to send gets it of these, too, and so does
-- whoever wants it of keys' budgets.
create or replace view account_alerts as
  select a.id as account_id,
    case when s.account_id is null then 20000000000 else s.balance_below_micro_vnd end as balance_below_micro_vnd,
    case when s.account_id is null then 3 else s.days_left end as days_left,
    coalesce(s.mail_kinds, '{balance.low,balance.empty,balance.days_left,budget.nearly_spent,budget.spent,'
      'member_budget.nearly_spent,member_budget.spent,key.expiring,sign_in.new}') as mail_kinds,
    coalesce(s.email, '') as email, a.email as account_email,
    coalesce(s.language, 'vi') as language
  from accounts a left join alert_settings s on s.account_id = a.id;

update alert_settings set mail_kinds = mail_kinds
  || case when 'budget.nearly_spent' = any (mail_kinds) then array['member_budget.nearly_spent'] else '{}' end
  || case when 'budget.spent' = any (mail_kinds) then array['member_budget.spent'] else '{}' end
where mail_kinds && '{budget.nearly_spent,budget.spent}';

-- Mail to the member whom the alert is about, in their own language; null: to whoever the account has alerts sent to.
alter table alert_deliveries add person_id text collate "C";

alter function note_alert_settings() rename to note_account_change;
create trigger member_budgets_told after insert or update on member_budgets for each row execute function note_account_change();
