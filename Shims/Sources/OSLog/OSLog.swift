// Apple's OSLog module exports os and adds OSLogStore, which reads the log. Linux has no log to
// read, so this module only exports os.
@_exported public import os
