export { NotFoundPage as default } from '#app/NotFoundPage'
