INSERT INTO authors (id, name) VALUES
  (1, 'Jane Austen'),
  (2, 'Charles Darwin'),
  (3, 'Mary Shelley'),
  (4, 'Jules Verne'),
  (5, 'H. G. Wells');

INSERT INTO books (id, title, author_id, year, genre) VALUES
  (1, 'Pride and Prejudice', 1, 1813, 'novel'),
  (2, 'Emma', 1, 1815, 'novel'),
  (3, 'On the Origin of Species', 2, 1859, 'science'),
  (4, 'The Voyage of the Beagle', 2, 1839, 'travel'),
  (5, 'Frankenstein', 3, 1818, 'science fiction'),
  (6, 'The Last Man', 3, 1826, 'science fiction'),
  (7, 'Twenty Thousand Leagues Under the Seas', 4, 1870, 'science fiction'),
  (8, 'Around the World in Eighty Days', 4, 1873, 'travel'),
  (9, 'The Time Machine', 5, 1895, 'science fiction'),
  (10, 'The War of the Worlds', 5, 1898, 'science fiction');

INSERT INTO loans (book_id, reader, borrowed_on, due_on, returned_on) VALUES
  (1, 'Ada', '2026-01-05', '2026-01-26', '2026-01-20'),
  (5, 'Ada', '2026-02-02', '2026-02-23', NULL),
  (9, 'Grace', '2026-02-10', '2026-03-03', NULL);
