"""What is kept on the disk: the journal and its file, and the games in it."""
