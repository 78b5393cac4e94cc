-- Of links that set a new password or show whose an address is, the hash alone, as of all else that opens something: whoever reads the
-- database, or a backup of it, can follow none. Those that were sent before stay good.
update verifications set identifier = 'reset-password:' || encode(sha256(convert_to(substr(identifier, 16), 'UTF8')), 'hex')
  where identifier like 'reset-password:%';
update verifications set identifier = 'address:' || encode(sha256(convert_to(substr(identifier, 9), 'UTF8')), 'hex')
  where identifier like 'address:%';
