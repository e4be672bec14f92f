#if !canImport(ObjectiveC)
    /// Runs a body and returns what it returns; Swift on Linux releases objects as it goes.
    public func autoreleasepool<Result, Failure: Error>(
        invoking body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body()
    }
#endif
