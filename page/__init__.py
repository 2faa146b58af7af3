"""The program in a browser tab: what it is put together from (`build`), what runs there (`tab`)."""
