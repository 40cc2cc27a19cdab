// As gcc 11 and later preprocess the headers of glibc: attributes that clang does not know, or
// not with arguments. A word that is a macro of clang's is an identifier here.
extern void *own(unsigned long) __attribute__((__nothrow__, __leaf__))
    __attribute__((__malloc__)) __attribute__((__alloc_size__(1)));
extern void give(void *) __attribute__((__nothrow__));
extern void *mine(unsigned long) __attribute__((__malloc__(give, 1)))
    __attribute__((__access__(__read_only__, 1)));
int linux;
int main(void) { return linux; }
