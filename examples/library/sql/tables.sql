-- For SQLite and PostgreSQL alike; setup.mjs says where they differ.
CREATE TABLE authors (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

CREATE TABLE books (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  author_id INTEGER NOT NULL REFERENCES authors (id),
  year INTEGER NOT NULL,
  genre TEXT NOT NULL
);

CREATE TABLE loans (
  id INTEGER PRIMARY KEY,
  book_id INTEGER NOT NULL REFERENCES books (id),
  reader TEXT NOT NULL CHECK (reader <> ''),
  borrowed_on DATE NOT NULL DEFAULT CURRENT_DATE,
  due_on DATE NOT NULL CHECK (due_on >= borrowed_on),
  returned_on DATE
);

-- A book is lent to one reader at a time. The database decides, so that two calls at once cannot both succeed.
CREATE UNIQUE INDEX lent_once ON loans (book_id) WHERE returned_on IS NULL;

CREATE VIEW catalogue AS
SELECT
  books.id, books.title, authors.name AS author, books.year, books.genre,
  CASE WHEN loans.id IS NULL THEN 'available' ELSE 'lent' END AS status,
  loans.due_on
FROM books
JOIN authors ON authors.id = books.author_id
LEFT JOIN loans ON loans.book_id = books.id AND loans.returned_on IS NULL;
