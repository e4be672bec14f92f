public import Foundation

/// A query for clinical documents, which are not implemented: when executed, it reports
/// ``HKError/errorHealthDataUnavailable``.
open class HKDocumentQuery: HKQuery, @unchecked Sendable {  // immutable but for its handler
    private let maximumDocuments: Int
    private let order: [NSSortDescriptor]?
    private let withData: Bool
    private let handler:
        QueryHandler<
            @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void
        >

    /// Creates a query for documents of a type.
    ///
    /// - Parameters:
    ///   - documentType: The type of the documents.
    ///   - predicate: Which documents to return; nil for all.
    ///   - limit: The maximum number of documents.
    ///   - sortDescriptors: The order of the documents.
    ///   - includeDocumentData: Whether to include the documents' contents.
    ///   - resultsHandler: Receives the query, no documents, true and the error.
    @preconcurrency
    public required init(
        documentType: HKDocumentType, predicate: NSPredicate?, limit: Int,
        sortDescriptors: [NSSortDescriptor]?, includeDocumentData: Bool,
        resultsHandler:
            @escaping @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void
    ) {
        maximumDocuments = limit
        order = sortDescriptors
        withData = includeDocumentData
        handler = QueryHandler(resultsHandler)
        super.init(_objectType: documentType, predicate: predicate)
    }

    /// The maximum number of documents.
    open var limit: Int { maximumDocuments }
    /// The order of the documents.
    open var sortDescriptors: [NSSortDescriptor]? { order }
    /// Whether the documents' contents are included.
    open var includeDocumentData: Bool { withData }

    override func run(_ execution: QueryExecution) throws {
        throw HKError.unavailable("Reading clinical documents")
    }

    override func report(_ error: HKError) { handler.current?(self, nil, true, error) }
    override func releaseHandlers() { handler.current = nil }
}
