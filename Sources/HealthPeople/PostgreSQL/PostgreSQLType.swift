import CPostgreSQL

/// The types of PostgreSQL that a parameter or a result can have, with their OIDs.
enum PostgreSQLType: Oid {
    case boolean = 16
    case bytea = 17
    case name = 19
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case oid = 26
    case float4 = 700
    case float8 = 701
    case bpchar = 1042
    case varchar = 1043
    case timestamptz = 1184
    /// The result of a function that returns nothing, such as `pg_advisory_xact_lock`.
    case void = 2278
}
