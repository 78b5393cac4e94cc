-- What operators say of routes to providers, and how each route fares.

-- Of any route, by its id. Without a row it is as it was configured or added.
create table route_settings (
  route text primary key,
  paused boolean not null,
  -- Null: as configured.
  weight float8 check (weight > 0),
  updated_at timestamptz not null default now()
);

-- Routes that operators added beside those of the configuration.
create table added_routes (
  id text primary key,
  provider text not null,
  base_url text not null,
  -- Sealed for this row; null where none is sent.
  sealed_key bytea,
  seal_key_id text,
  -- The last characters of the key; empty where there is none.
  key_hint text not null,
  -- Ids of the catalogue; empty: all models of the provider.
  models text[] not null,
  priority integer not null,
  actor text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- It is used no more, and stays for the history.
  removed_at timestamptz
);

-- Calls tried on a route in the five minutes from `at`. One life of one process writes its own rows, whole each time.
create table route_health (
  at timestamptz not null,
  route text not null,
  family text not null,
  writer text not null,
  calls integer not null,
  busy integer not null,
  locked_out integer not null,
  forbidden integer not null,
  server integer not null,
  connect integer not null,
  timeout integer not null,
  broken integer not null,
  credentials integer not null,
  -- How many streams began within which bound: {"31": 4}; domain/route-health.ts has the bounds.
  first_byte jsonb not null,
  last_error text,
  last_error_at timestamptz,
  primary key (at, route, family, writer)
);

-- Routes that a process has closed or spares just now; it says so again every few seconds.
create table route_states (
  route text not null,
  writer text not null,
  state text not null,
  until timestamptz,
  told_at timestamptz not null default clock_timestamp(),
  primary key (route, writer)
);
