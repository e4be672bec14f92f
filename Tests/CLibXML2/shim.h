#include <libxml/xmlversion.h>
// ICU's names, in libxml2's own headers, clash with those of Foundation in one module.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/SAX2.h>
