//go:build ignore

// Verifies one address: go run verify_one.go someone@example.com
// RCPT_URL and RCPT_API_KEY say where, and for whom.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

// A Result has more fields than these: take what you need.
type Result struct {
	Email  string  `json:"email"`
	Status string  `json:"status"`
	Score  int     `json:"score"`
	Reason *string `json:"reason"`
}

func verify(email string) (Result, error) {
	body, err := json.Marshal(map[string][]string{"emails": {email}})
	if err != nil {
		return Result{}, err
	}
	request, err := http.NewRequest(http.MethodPost, os.Getenv("RCPT_URL")+"/api/v1/verify", bytes.NewReader(body))
	if err != nil {
		return Result{}, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RCPT_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 100 * time.Second} // the service takes 90 s at most
	response, err := client.Do(request)
	if err != nil {
		return Result{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		return Result{}, fmt.Errorf("%s: %s", response.Status, text)
	}
	var results [1]Result
	err = json.NewDecoder(response.Body).Decode(&results)
	return results[0], err
}

func main() {
	result, err := verify(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	reason := "-"
	if result.Reason != nil {
		reason = *result.Reason
	}
	fmt.Println(result.Email, result.Status, result.Score, reason)
}
