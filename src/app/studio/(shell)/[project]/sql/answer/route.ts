export { POST } from '#studio/sql/sql-answer-route'
