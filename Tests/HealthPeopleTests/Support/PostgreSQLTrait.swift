import CPostgreSQL
import HealthTesting
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test if no PostgreSQL server is installed. Used with `.inTestAll`, since it starts
    /// one.
    static var needsPostgreSQL: Self {
        .enabled(
            if: PrivatePostgreSQL.programs != nil,
            "No PostgreSQL server is installed: apt-get install postgresql")
    }

    /// Skips a test if PostgreSQL's client library can't be loaded.
    static var needsPostgreSQLClient: Self {
        .enabled(if: ohk_libpq_isLoaded(), "libpq isn't installed: apt-get install libpq5")
    }
}
