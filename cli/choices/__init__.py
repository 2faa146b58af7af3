"""Every choice a player has, declared once, and the one reader of what is typed or kept for it."""
