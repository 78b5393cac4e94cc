-- What of each node's settings must be the same on all nodes: a hash of each part, none of which has secrets in it. See settings-parts.ts.
create table node_settings (
  node_id integer primary key references nodes (id) on delete cascade,
  parts jsonb not null
);
