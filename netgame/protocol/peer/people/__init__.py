"""Who is linked, who looks on, who asks for a seat, and who stands in for a host."""
