-- What became of the mail that a link was sent by: `sent`, a number or code of SMTP; null where none was sent, or before it is known.
alter table verifications add column mail_outcome text;
