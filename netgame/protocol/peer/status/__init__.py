"""The status of this process at the table: may it sign, has it left, its faults and notices."""
