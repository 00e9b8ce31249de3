"""What goes out: all notices, each with its proof, and what a person does about one that did not arrive."""
