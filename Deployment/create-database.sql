-- Creates a database and its role, which is no superuser: row-level security applies to it.
-- For psql, with HEALTH_DATABASE and HEALTH_PASSWORD in the environment.
\set ON_ERROR_STOP on
\getenv database HEALTH_DATABASE
\getenv password HEALTH_PASSWORD
CREATE ROLE health LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE :"database" OWNER health;
