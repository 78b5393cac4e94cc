-- What each of the staff may do; whoever could administer the service owns it from now on.
alter table accounts add staff_role text check (staff_role in ('support', 'finance', 'owner'));
update accounts set staff_role = 'owner' where is_operator;
alter table accounts drop is_operator;
create index accounts_staff on accounts (staff_role) where staff_role is not null;
