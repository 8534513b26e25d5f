"""Reviews of ranges: real git repositories, and what a reviewer reads of them."""
