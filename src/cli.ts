// The `santral` command line: each command is a function over the same parts.

process.stdout.write("santral\n");
