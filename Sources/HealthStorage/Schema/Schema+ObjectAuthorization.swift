extension Schema {
    /// Version 7: which single objects a program may read (Semantics §8.12).
    ///
    /// A grant has a sequence number, so that programs that follow changes receive an object that
    /// they may read only now. The decision outlives the object, because a program that could read
    /// it receives its deletion.
    static let objectAuthorization = """
        CREATE TABLE object_authorization (
            client TEXT NOT NULL,
            type INTEGER NOT NULL,
            uuid BLOB NOT NULL,
            granted INTEGER NOT NULL CHECK (granted IN (0, 1)),
            sequence INTEGER NOT NULL,
            PRIMARY KEY (client, type, uuid)
        ) WITHOUT ROWID;
        """
}
