// On Node 20 `--import tsx` reaches the main thread only; a worker asks for the hooks itself.
import { register } from 'tsx/esm/api';

register();
