// Before `npm start`, whose command only a Unix shell reads.

if (process.platform === 'win32') {
  process.stderr.write('npm start runs on Linux and macOS: on Windows, run it under WSL (wsl --install).\n');
  process.exitCode = 1;
}
