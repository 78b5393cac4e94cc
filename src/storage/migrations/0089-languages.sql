-- In which language somebody last used the pages: alerts are mailed in it where their account has not chosen one.
alter table people add column language text check (language in ('vi', 'en'));

create or replace view account_alerts as
  select a.id as account_id,
    case when s.account_id is null then 20000000000 else s.balance_below_micro_vnd end as balance_below_micro_vnd,
    case when s.account_id is null then 3 else s.days_left end as days_left,
    coalesce(s.mail_kinds, '{balance.low,balance.empty,balance.days_left,budget.nearly_spent,budget.spent,'
      'member_budget.nearly_spent,member_budget.spent,key.expiring,sign_in.new,security.changed}') as mail_kinds,
    coalesce(s.email, '') as email, a.email as account_email,
    coalesce(s.language, p.language, 'vi') as language
  from accounts a left join alert_settings s on s.account_id = a.id left join people p on p.id = a.id;
