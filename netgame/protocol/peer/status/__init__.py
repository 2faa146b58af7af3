"""This process's status at the table: may it sign, has it left, its faults and notices."""
