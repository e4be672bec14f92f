/// The limits of a PostgreSQL database.
package struct PostgreSQLSettings: Sendable {
    /// The number of threads, each with one connection; at least 1.
    package var threads = 4
    /// The number of transactions that can wait for a thread. Another one is refused at once.
    package var queueLimit = 256
    /// How long a transaction can wait for a thread.
    package var queueTimeout = Duration.seconds(10)
    /// How long a statement can run. The server enforces it.
    package var statementTimeout = Duration.seconds(10)
    /// How long a statement can wait for a lock. The server enforces it.
    package var lockTimeout = Duration.seconds(3)
    /// How long a transaction can be open between two statements. The server enforces it, and
    /// so releases the locks of a client that is gone.
    package var idleTimeout = Duration.seconds(30)
    /// How long, beyond ``statementTimeout``, the answer to a statement can take. Then the
    /// connection counts as lost.
    package var answerMargin = Duration.seconds(5)
    /// The delays between attempts to connect.
    package var backoff = Backoff()

    package init() {}

    /// How long the client waits for the answer to a statement.
    var answerTimeout: Duration { statementTimeout + answerMargin }
}
