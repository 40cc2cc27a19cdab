// Threads parse documents.  Each has a dictionary of names above a shared one,
// which counts its users under a lock.
#include <assert.h>
#include <libxml/parser.h>
#include <pthread.h>
#include <string.h>

static const char text[] = "<a b='1'/>";
static xmlDictPtr names;

static void *worker(void *unused) {
  xmlParserCtxtPtr parser = xmlNewParserCtxt();
  xmlDictFree(parser->dict);
  parser->dict = xmlDictCreateSub(names);
  xmlDocPtr document =
      xmlCtxtReadMemory(parser, text, sizeof text - 1, 0, 0, 0);
  assert(document && !strcmp((const char *)document->children->name, "a"));
  xmlFreeDoc(document);
  xmlFreeParserCtxt(parser);
  return unused;
}

int main(void) {
  xmlInitParser();
  names = xmlDictCreate();
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  xmlDictFree(names);
  xmlCleanupParser();
}
