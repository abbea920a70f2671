/** A speech bubble. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%231f6feb' d='M2 2h12v9H7l-4 3v-3H2z'/%3E%3C/svg%3E";
